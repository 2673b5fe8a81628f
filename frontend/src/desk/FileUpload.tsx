import { Button } from 'antd'
import { Icon } from '@/ui/Icon'
import { Upload, type TriggerProps, type UploadProps } from '@/ui/Upload'

const DeskTrigger = (props: TriggerProps) => <Button icon={<Icon name="plus" size={16} />} {...props} />

/** The kit's upload with the desk's button; a control of antd's Form.Item (`value`, `onChange`). */
export const FileUpload = (props: Omit<UploadProps, 'Trigger'>) => <Upload {...props} Trigger={DeskTrigger} />
