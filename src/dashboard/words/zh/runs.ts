import type { Phrase } from '../phrases.ts'

/** 一次运行如何结束（src/submit/，src/apps/worker/give-up-run.ts）。 */
export const RUN_PHRASES: readonly Phrase[] = [
  [
    'The run used up its {n} ms; the next goes on with what is left: {list}. Raise RUN_BUDGET_MS, run more often, or use submitMode "post".',
    '运行用完了 {n} 毫秒；剩下的由下次运行继续：{list}。请调大 RUN_BUDGET_MS、增加运行次数，或把提交方式（submitMode）设为 post。',
  ],
  ['{n} at {engine}', '{engine} {n} 个'],
  [
    'Another run of this site took over, because this one had not been heard of for too long.',
    '这次运行太久没有动静，已由本站的另一次运行接手。',
  ],
  [
    '{site} has had more than {n} engines in its life, and its ledger has room for no more. Remove the site and add it again; with firstRun "baseline" nothing is submitted twice.',
    '{site} 先后用过的引擎超过 {n} 个，账本已放不下。请移除站点后重新添加；把首次运行（firstRun）设为 baseline，就不会重复提交。',
  ],
  [
    'What is stored of this site is damaged, so that it cannot be run. Restore a backup of the data folder, or remove the site and add it again.',
    '这个站点的存储已损坏，无法运行。请恢复数据目录的备份，或移除站点后重新添加。',
  ],
  [
    'The database could not be used: the disk is full, read-only or broken, or another program locks the file. The log has the details; once that is mended, the next run goes on from here.',
    '数据库无法使用：磁盘已满、只读或损坏，或文件被其他程序锁住。详情见日志；修复之后，下次运行从这里继续。',
  ],
  [
    'The run broke off because of a bug in Sluice; the log has the details. The next run goes on from here.',
    '运行因 Sluice 的缺陷而中断，详情见日志。下次运行从这里继续。',
  ],
  [
    '{n} slices in a row broke off because of a bug; the log has the details. The next run begins anew.',
    '连续 {n} 片因缺陷而中断，详情见日志。下次运行重新开始。',
  ],
  ['The site was removed.', '站点已被移除。'],
]
