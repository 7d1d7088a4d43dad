// What a page can do more with a script than without: local times, a countdown, following a run, plots, trying the API.
'use strict'

const all = (selector, within = document) => [...within.querySelectorAll(selector)]

/** The local time for whoever points at a time in UTC. */
function tellLocalTimes(within) {
  const local = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'full',
    timeStyle: 'long',
  })
  for (const time of all('time[datetime]', within)) {
    time.title = local.format(new Date(time.dateTime))
  }
}

function countDown() {
  for (const time of all('time[data-countdown]')) {
    const left = Math.max(0, Math.floor((new Date(time.dateTime) - Date.now()) / 1000))
    const part = (size, of) => String(Math.floor(left / size) % of).padStart(2, '0')
    time.textContent = `${part(3600, 100)}:${part(60, 60)}:${part(1, 60)}`
  }
}

/** Follows what goes on: the server sends the changed part of the page, drawn as at first. */
function follow(part) {
  const { live, kind } = part.dataset
  if (!live) return
  const put = (markup) => {
    part.innerHTML = markup
    tellLocalTimes(part)
  }
  if (kind === 'events' && 'EventSource' in window) {
    const events = new EventSource(live)
    events.addEventListener('page', ({ data }) => put(JSON.parse(data)))
    events.addEventListener('over', () => events.close())
    return
  }
  const ask = async () => {
    const answer = await fetch(live).catch(() => undefined)
    if (answer?.redirected) return
    if (answer?.ok) put(await answer.text())
    if (answer?.headers.get('Sluice-Live') !== 'over') setTimeout(ask, 2000)
  }
  setTimeout(ask, 2000)
}

/** A colour as the canvas takes it: `light-dark()` is resolved by an element only. */
function colour(name) {
  const probe = document.createElement('i')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const found = getComputedStyle(probe).color
  probe.remove()
  return found
}

/** Draws the table of a figure above it: what is drawn and what is read cannot differ. */
function draw(figure) {
  const canvas = figure.querySelector('.canvas')
  const rows = all('details tbody tr', figure)
  const names = all('details thead th', figure).slice(1)
  const number = (cell) => (cell.dataset.value === '' ? null : Number(cell.dataset.value))
  const columns = names.map((_, i) => rows.map((row) => number(all('td', row)[i])))
  canvas.replaceChildren()
  if (!columns.some((column) => column.some(Boolean))) return
  const days = rows.map((row) => Number(row.querySelector('th').dataset.value))
  const isBars = figure.dataset.plot === 'bars'
  const axis = {
    stroke: colour('--dim'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  const day = new Intl.DateTimeFormat(document.documentElement.lang, {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
  })
  const stacked = isBars ? stack(columns) : columns
  const series = names.map((name, i) => {
    const stroke = colour(`--series-${(i % 6) + 1}`)
    const own = columns[i]
    return {
      label: name.textContent,
      stroke,
      width: isBars ? 0 : 2,
      ...(isBars && { fill: stroke, paths: uPlot.paths.bars({ size: [0.7, 24] }) }),
      points: { show: !isBars, size: 5 },
      value: (_, __, ___, at) =>
        at == null || own[at] == null ? '–' : own[at].toLocaleString(document.documentElement.lang),
      spanGaps: figure.dataset.plot !== 'levels',
    }
  })
  new uPlot(
    {
      width: canvas.clientWidth,
      height: 180,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { live: true },
      cursor: { y: false, points: { show: false } },
      scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.08)] } },
      axes: [
        { ...axis, space: 60, values: (_, marks) => marks.map((mark) => day.format(mark * 1000)) },
        {
          ...axis,
          size: 48,
          values: (_, marks) =>
            marks.map((mark) =>
              Intl.NumberFormat(document.documentElement.lang, { notation: 'compact' }).format(
                mark,
              ),
            ),
        },
      ],
      // The tallest first, so that what is stacked below is drawn over it.
      series: [
        {
          label: all('details thead th', figure)[0].textContent,
          value: (_, at) => (at == null ? '–' : day.format(at * 1000)),
        },
        ...(isBars ? series.toReversed() : series),
      ],
    },
    [days, ...(isBars ? stacked.toReversed() : stacked)],
    canvas,
  )
}

function stack(columns) {
  const sums = columns[0].map(() => 0)
  return columns.map((column) => column.map((value, i) => (sums[i] += value ?? 0)))
}

function drawAll() {
  // Where the browser's language has no valid name it does not load; the numbers stand in the table.
  if (!window.uPlot) return
  for (const figure of all('figure[data-plot]')) draw(figure)
}

/** Sends what a form of the API reference says, and shows what comes back. */
async function tryOut(form) {
  const [method, template] = form.dataset.try.split(' ')
  const query = new URLSearchParams()
  let path = template
  for (const input of all('input[data-place]', form)) {
    if (input.dataset.place === 'path')
      path = path.replace(`:${input.name}`, encodeURIComponent(input.value))
    else if (input.value !== '') query.set(input.name, input.value)
  }
  const body = form.querySelector('textarea')?.value
  const token = document.getElementById('try-token').value.trim()
  const output = form.querySelector('output')
  output.textContent = '…'
  try {
    const answer = await fetch(query.size > 0 ? `${path}?${query}` : path, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
    const text = await answer.text()
    output.textContent = `${answer.status}\n${pretty(text)}`
  } catch (error) {
    output.textContent = String(error)
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

tellLocalTimes(document)
countDown()
setInterval(countDown, 1000)
for (const part of all('[data-live]')) follow(part)
drawAll()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll)
let resized
addEventListener('resize', () => {
  clearTimeout(resized)
  resized = setTimeout(drawAll, 150)
})
for (const form of all('form[data-try]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void tryOut(form)
  })
}
