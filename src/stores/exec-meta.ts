import type { JsonObject } from '../core/json.ts'
import type { Origin } from './outbox-store.ts'

/** Who changed a row last. */
export function execMetaOf(executionId: string, { requestId }: Origin): JsonObject {
  return { execution_id: executionId, request_id: requestId }
}
