"""Texts of /api/docs for the operations of this app: by group, then by path, a summary and a
description.
"""

from __future__ import annotations

from apps.common.api.operation_descriptions import Words

OPERATION_TEXTS: Words = {
    "商品": {
        "GET /api/Product": (
            "查询商品列表",
            (
                "只含本客户可见的商品，价格为本客户的价格；未登录时为公开目录与市场价。Facets=0、"
                "Total=0 可省去筛选项与总数的统计。"
            ),
        ),
        "GET /api/Product/{ProductCode}": (
            "查询商品详情",
            "不存在与无权查看的应答相同；已下架的商品仍可查看。",
        ),
        "POST /api/Product/Search": (
            "搜索商品联想",
            "按关键词返回最多 10 个商品，没有匹配时按拼音查找。",
        ),
        "GET /api/Search/Suggest": (
            "查询搜索建议",
            "返回商品、类目、品牌与本人的搜索历史；没有关键词时只返回历史。",
        ),
        "DELETE /api/Search/History": (
            "清除搜索历史",
            "没有指定关键词时清除全部；返回清除的条数。",
        ),
        "POST /api/Product/SupposeCategory": (
            "查询热门搜索词",
            "按指定时段内的搜索与下单统计，置顶词在前。",
        ),
        "POST /api/Product/ImageSearch": (
            "以图搜索商品",
            "上传一张不超过 2MB 的图片；应答中的 ImageKey 可用于商品列表，只对本人有效。",
        ),
        "GET /api/Product/Compare": ("对比商品", "不存在或无权查看的商品不列出。"),
        "PATCH /api/Product/{ProductCode}/OwnName": (
            "设置商品自有名称与物料编码",
            "对全集团生效；两项都为空时恢复协议中的名称与编码，物料编码不能与其他商品重复。",
        ),
        "GET /api/Product/{ProductCode}/Document/{DocumentId}": (
            "下载商品资料",
            "可查看该商品者即可下载；直接返回文件，不在信封内。",
        ),
        "POST /api/Category/GetCustomerCategories": (
            "查询本客户类目树",
            "只含有在售商品的类目，附商品数量。",
        ),
        "POST /api/Category/MallCategories": (
            "查询公开类目树",
            "只含公开目录中有在售商品的类目，附商品数量。",
        ),
    },
    "收藏与浏览": {
        "GET /api/Favorite": (
            "查询收藏或浏览记录",
            "Type 为 1 是收藏，2 是浏览记录；已不可购买的商品也会列出并注明。",
        ),
        "POST /api/Favorite/Add": (
            "添加收藏或浏览记录",
            "重复添加时移到最前。收藏最多 500 个，浏览记录保留最近 100 个。",
        ),
        "DELETE /api/Favorite/{TargetId}": ("移除一个收藏或浏览记录", ""),
        "POST /api/Favorite/Remove": (
            "批量移除收藏或浏览记录",
            "返回实际移除的个数，已不在列表中的不算错误。",
        ),
        "POST /api/Favorite/Clear": ("清空收藏或浏览记录", "返回移除的个数。"),
    },
}
