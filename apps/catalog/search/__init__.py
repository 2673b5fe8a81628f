"""Which products, in which order: one question (CatalogQuery), one answer (CatalogPage), two engines."""
