"""Models of the search: favourites, hot keywords, picture vectors, search log and synonyms."""

from apps.search.models.favorite import Favorite
from apps.search.models.keyword import HotKeyword, SearchLog, SearchSynonym
from apps.search.models.picture import ImageSearch, PictureVector, PictureVersion

__all__ = [
    "Favorite",
    "HotKeyword",
    "ImageSearch",
    "PictureVector",
    "PictureVersion",
    "SearchLog",
    "SearchSynonym",
]
