"""Set-up and serving of the mall."""
