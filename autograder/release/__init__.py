"""Generate what students get from source/: lessons, answer sheets, archives."""
