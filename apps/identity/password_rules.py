"""Django's password validators with messages that say how to fix the password. The page shows
the same rules beforehand.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import password_validation as django


class LongEnough(django.MinimumLengthValidator):
    def get_error_message(self) -> str:
        return f"密码至少 {self.min_length} 个字符，请加长"

    def get_help_text(self) -> str:
        return f"至少 {self.min_length} 个字符"


class NotLikeTheAccount(django.UserAttributeSimilarityValidator):
    def get_error_message(self) -> Any:
        return "密码与账号或昵称过于相似，请更换"

    def get_help_text(self) -> str:
        return "不能与账号或昵称相似"


class NotCommon(django.CommonPasswordValidator):
    def get_error_message(self) -> Any:
        return "这个密码过于常见，容易被猜到，请更换"

    def get_help_text(self) -> str:
        return "不能是常见密码"


class NotOnlyDigits(django.NumericPasswordValidator):
    def get_error_message(self) -> Any:
        return "密码不能全是数字，请加入字母或符号"

    def get_help_text(self) -> str:
        return "不能全是数字"
