"""Models of the search: favourites, hot keywords, picture vectors, search log and synonyms."""

from apps.search.models.favorite import Favorite
from apps.search.models.hot_keyword import HotKeyword
from apps.search.models.picture import ImageSearch, PictureVector, PictureVersion
from apps.search.models.search import SearchLog, SearchSynonym

__all__ = [
    "Favorite",
    "HotKeyword",
    "ImageSearch",
    "PictureVector",
    "PictureVersion",
    "SearchLog",
    "SearchSynonym",
]
