"""The demo company and catalogue: sheets, their generator, the product pictures and the loader."""
