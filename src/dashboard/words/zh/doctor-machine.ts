import type { Phrase } from '../phrases.ts'

/** 诊断关于本机的话：时间、存储、变量（src/submit/doctor/check-clock.ts，check-surroundings.ts，src/apps/read-config.ts）。 */
export const DOCTOR_MACHINE_PHRASES: readonly Phrase[] = [
  [
    'No server told the time, so that this clock could not be compared.',
    '没有服务器告知时间，无法核对本机时间。',
  ],
  [
    'Put the other problems right first, then run the doctor again.',
    '请先解决其他问题，再次诊断。',
  ],
  ['The clock is right.', '本机时间正确。'],
  ['The clock is {n} minutes ahead.', '本机时间快了 {n} 分钟。'],
  ['The clock is {n} minutes behind.', '本机时间慢了 {n} 分钟。'],
  ['The clock is {n} hours ahead.', '本机时间快了 {n} 小时。'],
  ['The clock is {n} hours behind.', '本机时间慢了 {n} 小时。'],
  ['The clock is {n} days ahead.', '本机时间快了 {n} 天。'],
  ['The clock is {n} days behind.', '本机时间慢了 {n} 天。'],
  [
    'Let the machine set its clock by the network (NTP), for example: timedatectl set-ntp true',
    '请让本机通过网络校时（NTP），例如：timedatectl set-ntp true',
  ],

  ['The store cannot be written ({text}).', '存储不可写（{text}）。'],
  [
    'Let the user that runs Sluice write there, or name another folder with SLUICE_DATA or --data.',
    '请让运行 Sluice 的用户有写权限，或用 SLUICE_DATA 或 --data 指定另一目录。',
  ],
  ['The database cannot be opened ({text}).', '数据库无法打开（“{text}”）。'],
  [
    'Restore a backup, or move the file away to begin anew: every page is then submitted once more.',
    '请恢复备份，或移走文件重新开始：那样每个页面会再提交一次。',
  ],
  ['The database is damaged: {text}.', '数据库已损坏：“{text}”。'],
  [
    'Stop Sluice, keep a copy of the file, and restore the last backup; then look at the disk.',
    '请停止 Sluice，保留文件副本，恢复最近的备份；然后检查磁盘。',
  ],
  [
    'The database has schema {n}; this version knows schemas up to {n2}.',
    '数据库的结构版本是 {n}；本版本最高支持 {n2}。',
  ],
  [
    'Use the version of Sluice that wrote it, or restore a backup from before the update.',
    '请使用写入它的 Sluice 版本，或恢复更新之前的备份。',
  ],
  [
    "The database has schema {n}, older than this version's {n2}.",
    '数据库的结构版本是 {n}，旧于本版本的 {n2}。',
  ],
  [
    'Make a copy of it, then start Sluice once (sluice serve): it brings the database up to date.',
    '请先复制一份，再启动一次 Sluice（sluice serve）：它会更新数据库。',
  ],
  ['Only {n} MB are free on its disk.', '磁盘只剩 {n} MB。'],
  [
    'Make room on that disk, or move the data folder to another.',
    '请清理磁盘，或把数据目录移到别的磁盘。',
  ],
  [
    'Nothing is stored yet; the first command that stores something begins.',
    '还没有存储任何内容；首次保存时自动创建。',
  ],
  ['The store can be written and is whole.', '存储可写且完好。'],
  ['The store can be written.', '存储可写。'],
  ['{n} MB are stored.', '已存储 {n} MB。'],
  ['{n} MB are free.', '剩余 {n} MB。'],
  ['Every variable is known and can be used.', '所有变量均可识别且可用。'],
  ['{name} has no effect without {name2}.', '没有 {name2}，{name} 不起作用。'],
  ['Set both, or neither.', '请两者都设置，或都不设置。'],
  ['{name} is not a setting of Sluice and has no effect.', '{name} 不是 Sluice 的设置，不起作用。'],
  ['Remove it, or look up the name.', '请去掉它，或核对名称。'],
]
