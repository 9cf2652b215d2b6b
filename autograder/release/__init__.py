"""From source/ to what students get: lessons, answer sheets, archives."""
