interface Place {
  [part: string]: unknown
  Province?: string
  City?: string
  District?: string
  Street?: string
}

/** An address in one line; the four cities that are provinces too are said once. */
export const addressLine = ({ Province = '', City = '', District = '', Street = '' }: Place): string => `${Province}${City === Province ? '' : City}${District}${Street}`
