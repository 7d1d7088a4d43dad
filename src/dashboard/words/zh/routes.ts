import type { Phrase } from '../phrases.ts'

/** API 参考：每个路由做什么，参数是什么。 */
export const ROUTE_PHRASES: readonly Phrase[] = [
  ['About', '关于'],
  ['Sites', '站点'],
  ['Runs', '运行'],
  ['Status', '状态'],
  ['URLs', '网址'],
  ['Notes', '笔记'],
  ['Executions', '执行'],
  ['Candidates', '候选'],
  ['Mirror', '镜像'],
  ['Cookies', 'Cookie'],
  ['Alerts', '告警'],

  ['Whether the process lives', '进程是否存活'],
  ['Whether it can work', '服务是否就绪'],
  ['What runs here, with which settings', '这里运行的版本和设置'],
  ['Numbers for Prometheus', '供 Prometheus 读取的指标'],
  ['This description, as OpenAPI 3.1', '本描述，OpenAPI 3.1 格式'],

  ['Add a site', '添加站点'],
  ['Every site, by id', '全部站点，按编号排列'],
  ['One site', '一个站点'],
  ['Change the fields that are given; null clears one', '修改给出的字段；null 清除该字段'],
  ['Forget a site with its ledger and its runs', '移除站点及其账本和运行记录'],
  [
    'Look for what keeps a site from being submitted; submits nothing',
    '查找妨碍提交的问题，不提交任何内容',
  ],
  ['Run a site now', '立即运行站点'],
  ['Its id; may be left out where there is only one', '站点编号；只有一个站点时可省略'],
  [
    'Answer when the run is over, with `run` and 200; 202 if it goes on elsewhere',
    '运行结束后才回应：200 和 `run`；若在别处继续，则为 202',
  ],
  ['The runs of a site, newest first', '站点的运行记录，最新在前'],
  ['The runs of a site as a table', '站点的运行记录，表格形式'],
  ['One run, also while it goes on', '一次运行，进行中也可查看'],
  ['How a site is doing', '站点的状况'],
  ['What was submitted, by UTC day, oldest first', '每日（UTC）提交数，最早在前'],
  ['Submit pages at once, as a publish hook does', '立即提交页面，供发布钩子使用'],
  ['What happened to a page, at each engine', '某个页面在各引擎的提交情况'],
  [
    'Pages that engines did not take, newest first, at most {n} of each engine',
    '未被接受的页面，最新在前，每个引擎最多 {n} 个',
  ],

  ['Fetch up to 20 notes now; each item for itself', '立即采集最多 20 条笔记，各自独立'],
  ['Find notes, where a platform can', '查找笔记（平台支持时）'],
  ['Every platform, what it can do, and whether it is on', '全部平台、各自的能力及是否启用'],
  ["Start a workflow's execution: the lock of the workflow", '开始工作流的执行，即取得工作流的锁'],
  ['Executions, newest first', '执行记录，最新在前'],
  ['Say that an execution is still at work', '报告执行仍在进行'],
  ['End an execution and free what it still holds', '结束执行，释放其占用的候选'],
  ['Add notes to be fetched; those that are known are skipped', '添加待采集的笔记；已知的会跳过'],
  [
    'Candidates in the order in which they came, with the number in each state',
    '候选，按加入顺序，并给出各状态的数量',
  ],
  [
    'platform:note_id of the last one that is known; without it, from the first',
    '已知的最后一个候选的 platform:note_id；省略则从头开始',
  ],
  ['Lock the oldest pending candidates for an execution', '为执行领取最早的等待中的候选'],
  [
    'Write fetched notes, each once; what is not held fails for itself',
    '写入采集到的笔记，每条一次；未持有的单独失败',
  ],
  [
    'Give candidates back: to be tried again, or failed at the third attempt',
    '归还候选：再次尝试，第三次则放弃',
  ],
  [
    'Collect now, as the schedule does: claim, fetch, write, until nothing is left',
    '立即采集，与定时采集相同：领取、采集、写入，直到没有剩余',
  ],
  [
    'Answer when it is over, with what became of the notes and 200',
    '结束后才回应：200 和每条笔记的结果',
  ],
  [
    'Bring notes, or the addresses of notes: {"lines": ["…"]}, each line one JSON object as text',
    '导入笔记或笔记的地址：{"lines": ["…"]}，每行是一个 JSON 对象的文本',
  ],
  ['Time out silent executions and free what they held', '让失联的执行超时，释放其占用的候选'],
  ['Collected notes, in the order in which they were written', '采集到的笔记，按写入顺序'],
  ['The position of the last one that is known; 0 for all', '已知的最后一条的位置；0 为全部'],
  ['Changes that the mirror has yet to take over, oldest first', '镜像尚未同步的变更，最早在前'],
  ['Say that changes were taken over; again does nothing', '报告变更已同步；重复报告无影响'],
  [
    'Add a cookie of your own; it is sealed and never shown again',
    '添加自己的 Cookie；加密保存，不再显示',
  ],
  ['The state of every cookie, never a value', '每个 Cookie 的状态，从不显示其值'],
  [
    'Whether a cookie opens and may be used; the platform is not asked',
    'Cookie 能否打开、可否使用；不询问平台',
  ],
  [
    'Seal every secret anew with the current key, while all go on being used',
    '用当前密钥重新封存全部机密，期间照常使用',
  ],
  ['Take a cookie out of use', '停用 Cookie'],
  ['Take a cookie back into use, its errors forgotten', '重新启用 Cookie，清零错误次数'],
  ['Alerts that are firing or were resolved', '触发中和已恢复的告警'],
]
