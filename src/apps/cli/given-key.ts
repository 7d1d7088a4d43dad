import type { Config } from '../settings.ts'

/** The IndexNow key as the API takes it: that of the option, else that of the environment. */
export function givenKey(
  { key }: { readonly key?: string },
  { indexnowApiKey }: Pick<Config, 'indexnowApiKey'>,
): { readonly apiKey?: string } {
  const apiKey = key ?? indexnowApiKey?.reveal()
  return apiKey === undefined ? {} : { apiKey }
}
