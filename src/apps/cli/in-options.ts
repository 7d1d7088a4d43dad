import type { Complaint } from './complaint.ts'

/** A complaint of the API about a field, by the option that it was given with. */
export function inOptions(
  complaint: Complaint,
  options: Readonly<Record<string, string>>,
): Complaint {
  const what = Object.entries(options).reduce(
    (so, [field, option]) =>
      so.replaceAll(new RegExp(String.raw`\b${field}(?:\[\d+\])? is\b`, 'g'), `${option} is`),
    complaint.what,
  )
  return { ...complaint, what }
}
