"""What holds over all apps."""
