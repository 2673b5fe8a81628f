"""The demo company and catalogue: sheets, their generator and the product pictures."""
