from django.apps import AppConfig


class CartConfig(AppConfig):
    name = "apps.cart"
    verbose_name = "购物车"
