/** Of a text that was cut off, what is left without the line that may have been cut. A line may end in any way. */
export function wholeLines(cut: string): string {
  return cut.slice(0, Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf('\r')) + 1)
}
