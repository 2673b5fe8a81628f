// A reporter: the names of the failed tests, one per line.
export default async function* failed(events) {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.details.error?.failureType !== 'subtestsFailed') yield `${data.name}\n`
  }
}
