import { Button, Form, Input, Popconfirm } from 'antd'
import { useRef, useState } from 'react'
import { FormDialog } from '@/desk/FormDialog'
import { useLogo, useSaveGroup, type Group } from '@/domain/org/group'
import { toast } from '@/ui/toast'
import styles from './group.module.css'

interface Fields {
  Name: string
  ShortName: string
  Industry: string
}

function Mark({ group }: { group: Group }) {
  const input = useRef<HTMLInputElement>(null)
  const logo = useLogo(group.Id)
  const take = (file: File | null, told: string): void =>
    logo.mutate(file, { onSuccess: () => toast.success(told) })
  return (
    <div className={styles.mark}>
      <div className={styles.plate}>
        {group.Logo ? <img src={group.Logo} alt={`${group.Name}标识`} /> : <span>未设置标识</span>}
      </div>
      {group.CanEdit && (
        <p>
          <input
            ref={input}
            type="file"
            hidden
            aria-label="上传集团标识"
            accept="image/png,image/jpeg,image/webp"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              currentTarget.value = ''
              if (file) take(file, '集团标识已更换')
            }}
          />
          <Button size="small" loading={logo.isPending} onClick={() => input.current?.click()}>
            {group.Logo ? '更换标识' : '上传标识'}
          </Button>
          {group.Logo && (
            <Popconfirm
              title="移除集团标识？"
              description="移除后页面顶部只显示集团名称"
              onConfirm={() => take(null, '集团标识已移除')}
            >
              <Button size="small" type="link">
                移除
              </Button>
            </Popconfirm>
          )}
        </p>
      )}
      <small>PNG、JPEG 或 WebP，2MB 以内，显示在页面顶部</small>
    </div>
  )
}

/** Name, industry and logo. */
export function Profile({ group }: { group: Group }) {
  const [open, setOpen] = useState(false)
  const save = useSaveGroup(group.Id)
  const facts = [
    ['集团编码', group.Code],
    ['集团名称', group.Name],
    ['简称', group.ShortName || '—'],
    ['行业', group.Industry || '—'],
  ] as const
  return (
    <section className={styles.section} aria-label="集团资料">
      <header>
        <h2>集团资料</h2>
        {group.CanEdit && <Button onClick={() => setOpen(true)}>编辑</Button>}
      </header>
      <div className={styles.profile}>
        <Mark group={group} />
        <dl className={styles.facts}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <FormDialog<Fields>
        title="编辑集团资料"
        open={open}
        onClose={() => setOpen(false)}
        initialValues={{ Name: group.Name, ShortName: group.ShortName, Industry: group.Industry }}
        onSubmit={async (values) => {
          await save.mutateAsync({ ...values, UpdatedAt: group.UpdatedAt })
          toast.success('集团资料已保存')
        }}
      >
        <Form.Item
          name="Name"
          label="集团名称"
          rules={[{ required: true, whitespace: true, message: '请填写集团名称' }]}
        >
          <Input maxLength={100} />
        </Form.Item>
        <Form.Item name="ShortName" label="简称">
          <Input maxLength={30} />
        </Form.Item>
        <Form.Item name="Industry" label="行业" extra="用于“企业排行”中的同行业参考">
          <Input maxLength={40} />
        </Form.Item>
      </FormDialog>
    </section>
  )
}
