import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { candidates, type Candidate } from '@/domain/approvals/approvals'

const option = ({ Id, Name, Department, WhyNot }: Candidate) => ({
  value: Id,
  label: [Name, Department, WhyNot].filter(Boolean).join(' · '),
  disabled: Boolean(WhyNot),
})

interface Props {
  approvalId: string
  many?: boolean
  id?: string
  value?: string | string[]
  onChange?: (value: string & string[]) => void
}

/**
 * Choose colleagues who can take the present step, by name. The others are shown with the reason.
 * A control of antd's Form.Item.
 */
export function CandidateSelect({ approvalId, many = false, ...control }: Props) {
  const [keyword, setKeyword] = useState('')
  // The list closes after each choice. An open list covers the fields below.
  const [isListOpen, setListOpen] = useState(false)
  const { data, isFetching } = useQuery(candidates(approvalId, useDeferredValue(keyword.trim())))
  return (
    <Select
      {...(control as object)}
      {...(many ? { mode: 'multiple' as const, maxCount: 5 } : {})}
      open={isListOpen}
      onOpenChange={setListOpen}
      onSelect={() => setListOpen(false)}
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      loading={isFetching}
      options={(data ?? []).map(option)}
      placeholder="输入同事姓名或账号"
      notFoundContent={isFetching ? '正在查找…' : '没有找到这样的同事'}
    />
  )
}
