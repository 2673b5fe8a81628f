"""Sign-ins and everything that proves who signs in: token families, one-time keys, tickets and
codes (stored as hashes), captcha puzzles, former passwords, and 企业微信.

These are platform tables, because the code reads them before the tenant is known.
"""

import uuid

from django.conf import settings
from django.db import models


class TokenFamily(models.Model):
    """Stores only the hash of the newest token. An older token is verified by deriving its
    successors up to the newest one.
    """

    public_id = models.UUIDField("编号", default=uuid.uuid4, unique=True, editable=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        verbose_name="账号",
        related_name="token_families",
    )
    generation = models.PositiveIntegerField("代数", default=0)
    token_hash = models.CharField(max_length=64)
    # [generation, epoch seconds] of the latest rotations: the old tokens within their grace period.
    rotations = models.JSONField(default=list, blank=True)
    client_address = models.CharField("登录地址", max_length=45, blank=True)
    user_agent = models.CharField("浏览器", max_length=200, blank=True)
    # Staff who act as the account. Never set to null, because the sign-in would then count as the
    # customer's own.
    impersonator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        verbose_name="代登录运营人员",
        related_name="+",
    )
    reason = models.CharField("代登录原因", max_length=100, blank=True, default="", db_default="")
    # The group's requirement of a second factor applies to the sign-in. 企业微信 and session keys
    # have their own proof.
    is_by_password = models.BooleanField("密码登录", default=True, db_default=True)
    created_at = models.DateTimeField("登录时间", auto_now_add=True)
    used_at = models.DateTimeField("最近使用")
    expires_at = models.DateTimeField("过期时间")
    revoked_at = models.DateTimeField("撤销时间", null=True, blank=True)
    revoked_why = models.CharField("撤销原因", max_length=40, blank=True)

    class Meta:
        verbose_name = "登录会话"
        verbose_name_plural = "登录会话"
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["account", "-created_at"], name="tokenfamily_account_idx"),
            models.Index(fields=["expires_at"], name="tokenfamily_expires_idx"),
        ]

    def __str__(self) -> str:
        return str(self.public_id)


class SessionKeyIssuer(models.TextChoices):
    """The issuers of session keys."""

    STAFF = "staff", "运营代登录"
    SSO = "sso", "单点登录"
    PUNCHOUT = "punchout", "PunchOut"
    WECHAT_WORK = "wechat_work", "企业微信"


class OneTimeSecret(models.Model):
    key_hash = models.CharField(max_length=64, unique=True)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name="账号", related_name="+"
    )
    created_at = models.DateTimeField("签发时间", auto_now_add=True)
    expires_at = models.DateTimeField("过期时间")
    used_at = models.DateTimeField("使用时间", null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class SessionKey(OneTimeSecret):
    issuer = models.CharField("签发方", max_length=20, choices=SessionKeyIssuer.choices)
    # Never set to null, because a staff key without issuer would sign in as the customer.
    issued_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        verbose_name="签发人",
        related_name="+",
    )
    reason = models.CharField("代登录原因", max_length=100, blank=True, default="", db_default="")
    redirect = models.CharField("旧商城地址", max_length=500, blank=True)
    return_url = models.CharField("登录后前往", max_length=500, blank=True)

    class Meta(OneTimeSecret.Meta):
        abstract = False
        verbose_name = "自动登录密钥"
        verbose_name_plural = "自动登录密钥"
        permissions = [("impersonate_account", "以客户身份登录")]
        indexes = [models.Index(fields=["expires_at"], name="sessionkey_expires_idx")]


class OldMallTicket(OneTimeSecret):
    class Meta(OneTimeSecret.Meta):
        abstract = False
        verbose_name = "旧商城票据"
        verbose_name_plural = "旧商城票据"
        indexes = [models.Index(fields=["expires_at"], name="oldmallticket_expires_idx")]


class ShortCode(models.Model):
    """A six-digit code. It is easy to guess, so the tries are limited and the hash is keyed."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name="账号", related_name="+"
    )
    code_hash = models.CharField(max_length=64)
    attempts = models.PositiveSmallIntegerField("尝试次数", default=0)
    created_at = models.DateTimeField("签发时间", auto_now_add=True)
    expires_at = models.DateTimeField("过期时间")
    used_at = models.DateTimeField("使用时间", null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class ResetCodeKind(models.TextChoices):
    """The origin and channel of a code."""

    ASKED = "asked", "本人找回密码"
    INVITED = "invited", "管理员邀请或重置"


class ResetCode(ShortCode):
    """Six digits, or the twelve characters of an invitation, which cannot be guessed."""

    kind = models.CharField(
        "类型",
        max_length=8,
        choices=ResetCodeKind.choices,
        default=ResetCodeKind.ASKED,
        db_default=ResetCodeKind.ASKED,
    )

    class Meta(ShortCode.Meta):
        abstract = False
        verbose_name = "重置密码验证码"
        verbose_name_plural = "重置密码验证码"
        indexes = [models.Index(fields=["account", "expires_at"], name="resetcode_account_idx")]


class ContactKind(models.TextChoices):
    """The kinds of contact."""

    MOBILE = "mobile", "手机号码"
    EMAIL = "email", "邮箱"


class ContactCode(ShortCode):
    """A code for one new mobile or mail address. The hash is keyed with the new value.

    `is_proof`: the code was sent to the account's present mail address and proves its owner.
    Otherwise it proves the new mobile or address.
    """

    kind = models.CharField("联系方式", max_length=10, choices=ContactKind.choices)
    is_proof = models.BooleanField("发送至原邮箱", default=False, db_default=False)

    class Meta(ShortCode.Meta):
        abstract = False
        verbose_name = "更换联系方式验证码"
        verbose_name_plural = "更换联系方式验证码"
        indexes = [models.Index(fields=["account", "expires_at"], name="contactcode_account_idx")]


class ContactUndo(models.Model):
    """Lets the reader of the former mail address undo a change, once and within 72 hours. The
    link in the letter contains the row's signed key.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name="账号", related_name="+"
    )
    kind = models.CharField("联系方式", max_length=10, choices=ContactKind.choices)
    old_value = models.CharField("更换前", max_length=254, blank=True)
    new_value = models.CharField("更换后", max_length=254, blank=True)
    created_at = models.DateTimeField("更换时间", auto_now_add=True)
    expires_at = models.DateTimeField("过期时间")
    used_at = models.DateTimeField("撤销时间", null=True, blank=True)

    class Meta:
        verbose_name = "更换联系方式的撤销链接"
        verbose_name_plural = "更换联系方式的撤销链接"
        indexes = [models.Index(fields=["account", "expires_at"], name="contactundo_account_idx")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class Captcha(models.Model):
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    answer_x = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "滑动验证"
        verbose_name_plural = "滑动验证"
        indexes = [models.Index(fields=["expires_at"], name="captcha_expires_idx")]

    def __str__(self) -> str:
        return str(self.public_id)


class FormerPassword(models.Model):
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        verbose_name="账号",
        related_name="+",
        db_index=False,
    )
    password = models.CharField(max_length=128)
    replaced_at = models.DateTimeField("停用时间", auto_now_add=True)

    class Meta:
        verbose_name = "历史密码"
        verbose_name_plural = "历史密码"
        indexes = [models.Index(fields=["account", "-id"], name="formerpassword_account_idx")]

    def __str__(self) -> str:
        return f"历史密码 {self.pk}"


class WeChatWorkAccount(models.Model):
    """A binding. A member has at most one account and an account has at most one member."""

    corp_id = models.CharField("企业 ID", max_length=64)
    user_id = models.CharField("企业微信成员账号", max_length=64)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        verbose_name="商城账号",
        related_name="+",
    )
    bound_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        verbose_name="绑定人（空为本人）",
        related_name="+",
    )
    created_at = models.DateTimeField("绑定时间", auto_now_add=True)
    used_at = models.DateTimeField("最近登录", null=True, blank=True)

    class Meta:
        verbose_name = "企业微信绑定"
        verbose_name_plural = "企业微信绑定"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["corp_id", "user_id"], name="wechatwork_member_uniq"),
            models.UniqueConstraint(fields=["corp_id", "account"], name="wechatwork_account_uniq"),
        ]

    def __str__(self) -> str:
        return f"企业微信绑定 {self.user_id}"


class WeChatWorkState(models.Model):
    """One redirect to 企业微信 and back. It works once, in the browser that began it. Only hashes
    of both secrets are stored.
    """

    state_hash = models.CharField(max_length=64, unique=True)
    browser_hash = models.CharField(max_length=64)
    return_url = models.CharField("登录后前往", max_length=2000, blank=True)
    created_at = models.DateTimeField("发起时间", auto_now_add=True)
    expires_at = models.DateTimeField("过期时间")
    used_at = models.DateTimeField("使用时间", null=True, blank=True)
    # The member who returned and has no account yet. The member may bind an account with its
    # password until `expires_at`.
    user_id = models.CharField("待绑定成员", max_length=64, blank=True)
    bound_at = models.DateTimeField("绑定时间", null=True, blank=True)

    class Meta:
        verbose_name = "企业微信登录请求"
        verbose_name_plural = "企业微信登录请求"
        indexes = [models.Index(fields=["expires_at"], name="wechatworkstate_expires_idx")]

    def __str__(self) -> str:
        return f"企业微信登录请求 {self.pk}"


class SecondFactor(models.Model):
    """The authenticator app of an account. It counts after its first code is confirmed."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name="账号", related_name="+"
    )
    # Encrypted with a key that follows from SECRET_KEY.
    secret = models.TextField()
    # The newest accepted time step. A code of this or an earlier step is refused.
    last_step = models.BigIntegerField(default=0)
    created_at = models.DateTimeField("创建时间", auto_now_add=True)
    confirmed_at = models.DateTimeField("启用时间", null=True, blank=True)

    class Meta:
        verbose_name = verbose_name_plural = "两步验证"

    def __str__(self) -> str:
        return f"两步验证 {self.pk}"


class RecoveryCode(models.Model):
    """A code for one sign-in without the authenticator. The hash is keyed."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name="账号", related_name="+"
    )
    code_hash = models.CharField(max_length=64)
    used_at = models.DateTimeField("使用时间", null=True, blank=True)

    class Meta:
        verbose_name = verbose_name_plural = "恢复码"
        constraints = [
            models.UniqueConstraint(fields=["account", "code_hash"], name="recoverycode_uniq")
        ]

    def __str__(self) -> str:
        return f"恢复码 {self.pk}"


class RememberedDevice(models.Model):
    """A browser that needs no second factor for the account until `expires_at`."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name="账号", related_name="+"
    )
    key_hash = models.CharField(max_length=64, unique=True)
    user_agent = models.CharField("浏览器", max_length=200, blank=True)
    created_at = models.DateTimeField("记住时间", auto_now_add=True)
    expires_at = models.DateTimeField("有效期至")

    class Meta:
        verbose_name = verbose_name_plural = "免验证设备"
        indexes = [models.Index(fields=["expires_at"], name="remembereddevice_expires_idx")]

    def __str__(self) -> str:
        return f"免验证设备 {self.pk}"


class Passkey(models.Model):
    """A WebAuthn credential of an account. A credential belongs to one account."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name="账号", related_name="+"
    )
    name = models.CharField("名称", max_length=40)
    # base64url of at most 1,023 bytes.
    credential_id = models.CharField(max_length=1364, unique=True)
    # Model of the authenticator, ID and public key, as WebAuthn's attested credential data.
    credential = models.BinaryField()
    # The counter of the last accepted signature. Synchronised passkeys always send 0.
    sign_count = models.BigIntegerField(default=0)
    created_at = models.DateTimeField("添加时间", auto_now_add=True)
    used_at = models.DateTimeField("最近使用", null=True, blank=True)

    class Meta:
        verbose_name = verbose_name_plural = "通行密钥"

    def __str__(self) -> str:
        return f"通行密钥 {self.pk}"


class PasskeyPurpose(models.TextChoices):
    NEW = "new", "添加"
    PROOF = "proof", "验证"


class PasskeyChallenge(models.Model):
    """A random challenge that a passkey signs, for one try in one session."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, verbose_name="账号", related_name="+"
    )
    purpose = models.CharField("用途", max_length=10, choices=PasskeyPurpose.choices)
    challenge_hash = models.CharField(max_length=64, unique=True)
    session_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField("发起时间", auto_now_add=True)
    expires_at = models.DateTimeField("过期时间")
    used_at = models.DateTimeField("使用时间", null=True, blank=True)

    class Meta:
        verbose_name = verbose_name_plural = "通行密钥验证请求"
        indexes = [models.Index(fields=["expires_at"], name="passkeychallenge_expires_idx")]

    def __str__(self) -> str:
        return f"通行密钥验证请求 {self.pk}"
