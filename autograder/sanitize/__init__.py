"""Make submissions safe and complete before anything else reads them."""
