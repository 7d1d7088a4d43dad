import { parseAst } from 'vitest/node'

/** What stands between the parts of a text that are only known later. */
export type Sentence = readonly string[]

interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

/** The texts of a source that people could read, but for those that only a log or a developer sees. */
export function sentencesIn(source: string): readonly Sentence[] {
  const found: Sentence[] = []
  const look = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(look)
    if (!isNode(node) || isForOthers(node)) return
    if (node.type === 'Literal' && typeof node['value'] === 'string') found.push([node['value']])
    if (node.type === 'TemplateElement') return
    if (node.type === 'TemplateLiteral') found.push(fixedParts(node))
    Object.values(node).forEach(look)
  }
  look(parseAst(source, { lang: 'ts' }))
  return found.filter((parts) => parts.some(isProse))
}

/** Two words in a row: codes, names and addresses have one. */
export const isProse = (text: string) => /[A-Za-z']{2,}[,:]? [A-Za-z']{2,}/.test(text)

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function fixedParts({ quasis }: Node): Sentence {
  return (quasis as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked)
}

function isForOthers({ type, callee }: Node): boolean {
  if (type === 'ImportDeclaration' || type === 'TSLiteralType') return true
  if (!isNode(callee)) return false
  if (type === 'NewExpression') return String(callee['name']).endsWith('Error')
  return type === 'CallExpression' && isLog(callee['object'])
}

function isLog(object: unknown): boolean {
  if (!isNode(object)) return false
  const { property } = object
  return object['name'] === 'log' || (isNode(property) && property['name'] === 'log')
}
