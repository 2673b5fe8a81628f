interface Place {
  [part: string]: unknown
  Province?: string
  City?: string
  District?: string
  Street?: string
}

/** An address in one line. The four municipalities (province and city) appear once. */
export const addressLine = ({
  Province = '',
  City = '',
  District = '',
  Street = '',
}: Place): string => `${Province}${City === Province ? '' : City}${District}${Street}`
