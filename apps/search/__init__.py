"""The customer's catalogue: which products a query finds, and in which order. Engines answer a
CatalogQuery with a CatalogPage.
"""
