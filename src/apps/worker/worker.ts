import type { Assets } from '../../dashboard/assets.ts'
import type { HttpApp } from '../../http/http-env.ts'
import { directoryOf, type Env } from './bindings.ts'
import { openFront, pokeSites } from './front.ts'
import { answerKeyFile } from './key-file.ts'
import { answerFromKv, type InvocationContext, pokeKv } from './kv-worker.ts'
import { type Surroundings, surroundingsOf, surroundingsOrThrow } from './surroundings.ts'

/** What the runtime calls, with the files of the pages: how they got here is the bundler's business. */
export function openWorker(assets: Assets) {
  return {
    async fetch(request: Request, env: Env, context: InvocationContext): Promise<Response> {
      const around = surroundingsOf(env)
      if (!around.ok) {
        console.error(around.failure)
        return Response.json(NOT_SET_UP, { status: 500 })
      }
      return around.value.config.store === 'kv'
        ? answerFromKv(request, env, { around: around.value, context, assets })
        : answerFromObjects(request, env, { around: around.value, assets })
    },

    async scheduled({ scheduledTime }: { scheduledTime: number }, env: Env): Promise<void> {
      const around = surroundingsOrThrow(env)
      const poke = around.config.store === 'kv' ? pokeKv : pokeSites
      await poke(env, around, scheduledTime)
    },
  }
}

const fronts = new WeakMap<Env, HttpApp>()

async function answerFromObjects(
  request: Request,
  env: Env,
  { around, assets }: { readonly around: Surroundings; readonly assets: Assets },
): Promise<Response> {
  const front = fronts.get(env) ?? openFront(env, assets, around)
  fronts.set(env, front)
  const keyFile = await answerKeyFile(request, (key) => directoryOf(env).hasIndexNowKey(key))
  return keyFile ?? front.fetch(request)
}

const NOT_SET_UP = {
  success: false,
  error: {
    code: 'INTERNAL',
    message: 'A setting of this Worker is wrong. Its log names it: npx wrangler tail',
    retryable: false,
  },
}
