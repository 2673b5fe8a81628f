"""Services that every app may use."""
