"""The judged set of the image search: altered pictures and the products to find."""
