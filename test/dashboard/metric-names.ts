/** Prometheus counts in seconds, bytes and other units without a prefix. */
const OTHER_UNIT =
  /^((nano|micro|milli|centi|kilo|mega|giga|tera|kibi|mebi|gibi|tebi)\w+|minutes|hours|days|weeks|bits|percent)$/
const ABBREVIATED_UNIT = /^(s|ms|us|ns|sec|b|kb|mb|gb|tb|m|h|d)$/
const TYPE = /^(counter|gauge|histogram|summary)$/

/** Throws at a name that `promtool check metrics` would complain of. */
export function checkName(name: string, type: string): void {
  const refuse = (why: string) => {
    throw new Error(`${name} is no name of a ${type}: ${why}`)
  }
  if (/[A-Z:]/.test(name)) refuse('small letters and _ alone')
  if ((type === 'counter') !== name.endsWith('_total')) refuse('counters alone end in _total')
  if (/_(bucket|count|sum)$/.test(name)) refuse('so end the parts of a histogram')
  const words = name.split('_')
  if (words.some((word) => OTHER_UNIT.test(word))) refuse('it is not in a base unit')
  if (words.some((word) => ABBREVIATED_UNIT.test(word))) refuse('a unit is written out')
  if (words.some((word) => TYPE.test(word))) refuse('the type is no part of it')
}
