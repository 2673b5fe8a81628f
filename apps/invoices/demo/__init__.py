"""What invoices and statements add to the demo."""
