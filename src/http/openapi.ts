import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from './error-codes.ts'
import type { RouteModule } from './http-env.ts'
import { addOperation, NO_QUERY, type Operation, operationsOf } from './operation.ts'

/** What any route that needs a token may answer. */
const USUAL_REFUSALS: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN']

const META = z.object({ request_id: z.string(), latency_ms: z.number() })
const REFUSED = z.object({
  success: z.literal(false),
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }),
  meta: META,
})

/** `/openapi.json`: made from the operations themselves, so that it cannot say otherwise than the routes do. */
export function openApiRoutes(version: string): RouteModule {
  return (app) => {
    addOperation(
      app,
      {
        methods: ['get'],
        path: '/openapi.json',
        access: 'anybody',
        subject: 'About',
        summary: 'This description, as OpenAPI 3.1',
        query: NO_QUERY,
        status: 200,
        answer: {},
      },
      (c) => c.json(openApiDocument(operationsOf(app), version)),
    )
  }
}

function openApiDocument(operations: readonly Operation[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    const methods = (paths[path] ??= {})
    for (const method of operation.methods) methods[method] = described(operation, method)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description: 'A gate for web content. Every answer carries `success` and `meta.request_id`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(({ subject }) => subject))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'ADMIN_TOKEN, READ_TOKEN or COLLECT_TOKEN',
        },
      },
      schemas: { Refused: schemaOf(REFUSED) },
    },
  }
}

function described(operation: Operation, method: string) {
  const { access, subject, summary, body, status, refusals = [] } = operation
  const codes = new Set([...(access === 'anybody' ? [] : USUAL_REFUSALS), ...refusals])
  return {
    operationId: idOf(operation, method),
    tags: [subject],
    summary,
    description:
      access === 'anybody' ? 'Open to all.' : `Needs a token with the scope \`${access}\`.`,
    ...(access === 'anybody' && { security: [] }),
    parameters: [...pathParameters(operation), ...queryParameters(operation)],
    ...(body && { requestBody: { required: true, content: jsonContent(schemaOf(body)) } }),
    responses: {
      [status]: { description: 'Done', content: answerContent(operation) },
      ...refusalResponses([...codes]),
    },
  }
}

function idOf({ path, methods }: Operation, method: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean)
  const name = words
    .map((word, i) => (i === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
    .join('')
  return methods.length > 1 || method !== 'get' ? `${name}_${method}` : name
}

function answerContent(operation: Operation) {
  const { media } = operation
  return media ? { [media]: { schema: { type: 'string' } } } : jsonContent(answerSchema(operation))
}

function answerSchema({ answer, path }: Operation) {
  if (path === '/openapi.json') return { type: 'object' }
  return schemaOf(z.object({ success: z.literal(true), ...answer, meta: META }), 'output')
}

function pathParameters({ path }: Operation) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Operation) {
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, { description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}

/** Codes that share a status share its line. */
function refusalResponses(codes: readonly ErrorCode[]) {
  const byStatus = Object.groupBy(codes, (code) => String(ERROR_CODES[code].status))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, those = []]) => [
      status,
      {
        description: those.map(advised).join(', '),
        content: jsonContent({ $ref: '#/components/schemas/Refused' }),
      },
    ]),
  )
}

/** What a program that gets this code does (SPEC C13). */
function advised(code: ErrorCode): string {
  const { action, mostRetries } = ERROR_CODES[code]
  return mostRetries === 0
    ? `${code}: ${action}`
    : `${code}: ${action}, ${mostRetries} times at most`
}

function jsonContent(schema: unknown) {
  return { 'application/json': { schema } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output' = 'input') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}
