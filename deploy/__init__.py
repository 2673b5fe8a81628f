"""Setting up and serving the mall."""
