"""The greatest quantity a line may have, in the cart, in orders and in what follows them."""

MAX_QUANTITY = 999_999
