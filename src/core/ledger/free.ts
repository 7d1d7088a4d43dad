/**
 * Gives a column's memory back at once; it must not be used any more. The collector sees only a small object and is in
 * no hurry, while a million URLs take tens of megabytes. Not for the middle of a reading: once anything was freed like
 * this, the engine checks every access to every column.
 */
export function free(column: Uint32Array | Int32Array | Uint16Array | Uint8Array): void {
  const buffer = column.buffer as ArrayBufferLike & { transfer(byteLength: number): ArrayBuffer }
  buffer.transfer(0)
}
