"""The table of all RetCodes. docs/wire.md and the API schema are generated from it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RetCode:
    """A code, its HTTP status and its meaning."""

    code: str
    status: int
    meaning: str


RET_CODES: tuple[RetCode, ...] = (
    RetCode("ok", 200, "成功"),
    RetCode("validation", 200, "填写的内容有误；MsgBody.Errors 按字段列出原因"),
    RetCode("bad_request", 200, "请求无法解析（JSON、编码、数值、地址）"),
    RetCode("method_not_allowed", 200, "此地址不支持该请求方法"),
    RetCode("unsupported_media", 200, "内容类型或返回格式不支持"),
    RetCode("too_large", 200, "提交的内容过大"),
    RetCode("not_logged_in", 401, "未登录、登录已过期或已被停用；刷新令牌失败时为 200"),
    RetCode("forbidden", 403, "没有此功能的权限"),
    RetCode("not_in_person", 200, "运营人员代客户登录期间不可执行，须由客户本人办理"),
    RetCode("not_found", 404, "不存在、已删除，或属于其他客户（两者应答完全相同）"),
    RetCode(
        "rate_limited",
        429,
        "访问过于频繁；MsgBody 为 Ip、CurrentTime、Target、Guid，"
        "应答头 Retry-After 为需等待的秒数；"
        "MsgBody 另有 RetryAfter 时滑动验证不能解除，只能等待",
    ),
    RetCode("server_error", 500, "服务器故障；繁忙时为 503，并带 Retry-After"),
    RetCode("captcha_required", 200, "需要先完成滑动验证"),
    RetCode("wrong_credentials", 200, "账号或密码错误（不区分账号是否存在）"),
    RetCode(
        "second_factor_required",
        200,
        "账号密码正确，还需两步验证：重新提交并附上 SecondFactorCode（验证器的 6 位数字或恢复码）"
        "或 Passkey（对 MsgBody.Passkey 的应答）；"
        "MsgBody.SetUp 不为空时须先在验证器中录入其中的密钥",
    ),
    RetCode("wrong_second_factor", 200, "两步验证的验证码或通行密钥不正确或已使用"),
    RetCode("account_disabled", 200, "账号已停用"),
    RetCode("too_soon", 200, "操作过于频繁；MsgBody.RetryAfter 为需等待的秒数"),
    RetCode("wrong_state", 200, "当前状态不允许此操作"),
    RetCode("stale", 200, "内容已被他人修改；MsgBody 为最新内容"),
    RetCode("idempotency_mismatch", 200, "同一幂等键的请求内容不一致"),
    RetCode("price_moved", 200, "价格已变动；MsgBody 列出差异"),
    RetCode("stock_short", 200, "库存不足"),
    RetCode("not_in_catalogue", 200, "商品不在可采购目录内"),
    RetCode("off_sale", 200, "商品已下架"),
    RetCode("quantity_illegal", 200, "数量低于起订量或不是增量的整数倍"),
    RetCode("budget_exceeded", 200, "超出预算"),
    RetCode("credit_exceeded", 200, "超出信用额度"),
    RetCode(
        "purchasing_refused",
        200,
        "角色的采购权限不允许此操作（仅申请、仅浏览）；MsgBody.Purchasing 为本人的采购权限",
    ),
    RetCode("budget_not_nearest", 200, "集团要求使用最近归属的预算，不能选择该预算"),
    RetCode("purchase_limit_exceeded", 200, "超出本人的采购限额（每单、每日、每月）"),
    RetCode("dimension_refused", 200, "所选成本中心、项目或会计科目不可用，请从列表中选择"),
    RetCode("recurring_price_rose", 200, "定期采购的商品涨价超过约定幅度"),
    RetCode("recurring_over_ceiling", 200, "定期采购的本次金额超出单次金额上限"),
    RetCode("recurring_owner_inactive", 200, "定期采购创建人的账号或集团已停用"),
    RetCode("recurring_choice_gone", 200, "定期采购的收货地址、开票抬头或预算已删除"),
    RetCode("quantity_exceeded", 200, "数量超出可退、可开票等可操作范围"),
    RetCode("file_refused", 200, "文件类型、大小或内容不符合要求"),
    RetCode("image_key_expired", 200, "以图搜索的结果已失效，或不属于本人；请重新上传图片"),
    RetCode("session_key_invalid", 200, "会话密钥无效、已使用或已过期"),
    RetCode("wechat_work_unbound", 200, "企业微信成员尚未绑定商城账号；MsgBody.Member 为成员账号"),
    RetCode(
        "wechat_work_expired", 200, "企业微信登录请求已失效、已使用、非本浏览器发起，或授权码失效"
    ),
    RetCode("wechat_work_refused", 200, "不是企业成员、集团未开放企业微信登录，或已有其他绑定"),
    RetCode("wechat_work_unavailable", 200, "企业微信登录未开通，或企业微信无法连接"),
    RetCode("redirect_refused", 200, "跳转地址不在允许范围内"),
)


def render_markdown() -> str:
    """Return the table in the Markdown format of docs/wire.md."""
    rows = [f"| `{row.code}` | {row.status} | {row.meaning} |" for row in RET_CODES]
    return "\n".join(["| RetCode | HTTP | 含义 |", "|---|---|---|", *rows])
