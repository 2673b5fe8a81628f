"""One-click selection without the database: lines of wishes, packs, scores, and the baskets that an integer programme finds."""
