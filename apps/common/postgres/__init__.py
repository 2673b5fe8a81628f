"""Django's PostgreSQL backend with prepared statements and a cheap health check of connections."""
