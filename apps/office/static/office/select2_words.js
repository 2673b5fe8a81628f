// Chinese texts for select2: the filters of lists load no language file.
{
  const select2 = window.django?.jQuery?.fn.select2
  select2?.defaults.set('language', {
    errorLoading: () => '无法载入结果',
    inputTooLong: ({ input, maximum }) => `请删除 ${input.length - maximum} 个字`,
    inputTooShort: ({ input, minimum }) => `请再输入至少 ${minimum - input.length} 个字`,
    loadingMore: () => '载入更多结果…',
    maximumSelected: ({ maximum }) => `最多选择 ${maximum} 项`,
    noResults: () => '未找到结果',
    searching: () => '搜索中…',
    removeAllItems: () => '删除所有项目',
  })
}
