/** The file types and sizes of a product picture. */
export const PICTURES = {
  types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  maxMb: 20,
  typeMessage: '请上传图片文件',
}
