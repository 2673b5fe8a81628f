import { Button } from 'antd'
import { Icon } from '@/ui/Icon'
import { Upload, type TriggerProps, type UploadProps } from '@/ui/Upload'

const DeskTrigger = (props: TriggerProps) => (
  <Button icon={<Icon name="plus" size={16} />} {...props} />
)

/** `Upload` of `ui/` with antd's button, as a control of `Form.Item` (`value`, `onChange`). */
export const FileUpload = (props: Omit<UploadProps, 'Trigger'>) => (
  <Upload {...props} Trigger={DeskTrigger} />
)
