/** A value with only the fields that the test uses. */
export const fake = <T>(fields: unknown): T => fields as T
