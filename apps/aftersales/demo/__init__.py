"""What after-sales add to the demo's story."""
