import { isoTime } from "../../protocol/iso-time.ts";
import { sql } from "kysely";
import type {
  NotificationFilter,
  DeliveryOutcome,
  NotificationStore,
  PushNotification,
  ClaimedNotification,
} from "../../engine/ports/pushes.ts";
import type { DeliveryState, PushDelivery } from "../../protocol/push-deliveries.ts";
import { skipLocked } from "./dialect.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Db, PushLettersTable, Tables } from "./tables.ts";

/** A literal instead of a parameter, so that SQLite uses the partial index on waiting notifications. */
const WAITING = sql.lit<DeliveryState>("waiting");

export function sqlNotifications(db: Db, commit: GroupCommit<Tables>): NotificationStore {
  return {
    claim: (...order) => commit((tx) => claim(tx, ...order)),
    settle: (notification, outcome) => commit((tx) => settle(tx, notification, outcome)),
    async nextDue(busy = []) {
      const row = await heads(db, busy)
        .select("notification.due")
        .orderBy("notification.due")
        .limit(1)
        .executeTakeFirst();
      return row?.due;
    },
    list: (filter) => list(db, filter),
    sweep: (doneBefore, keep) => commit((tx) => sweep(tx, doneBefore, keep)),
  };
}

/** Inserts notifications, in the transaction of the change that they report. Existing ones stay unchanged. */
export async function insertNotifications(tx: Db, notifications: readonly PushNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  const rows = notifications.map((notification): PushLettersTable => ({
    ...notification,
    due: notification.created,
    attempt: 0,
    state: "waiting",
    settled: null,
    status: null,
    why: null,
  }));
  await tx
    .insertInto("push_letters")
    .values(rows)
    .onConflict((conflict) => conflict.column("letter_id").doNothing())
    .execute();
}

export async function giveUpNotifications(
  tx: Db,
  { taskId, configId, now }: { taskId: string; configId: string; now: number },
): Promise<void> {
  await tx
    .updateTable("push_letters")
    .set({ state: "given_up", settled: now, why: "the configuration was deleted" })
    .where("task_id", "=", taskId)
    .where("config_id", "=", configId)
    .where("state", "=", WAITING)
    .execute();
}

/** Selects the first waiting notification of each configuration, except for hosts that are `busy`. */
function heads(db: Db, busy: readonly string[]) {
  return db
    .selectFrom("push_letters as notification")
    .where("notification.state", "=", WAITING)
    .$if(busy.length > 0, (some) => some.where("notification.host", "not in", busy))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("push_letters as earlier")
            .select("earlier.letter_id")
            .whereRef("earlier.task_id", "=", "notification.task_id")
            .whereRef("earlier.config_id", "=", "notification.config_id")
            .whereRef("earlier.seq", "<", "notification.seq")
            .where("earlier.state", "=", WAITING),
        ),
      ),
    );
}

async function claim(
  tx: Db,
  ...[limit, now, until, busy = []]: Parameters<NotificationStore["claim"]>
): Promise<ClaimedNotification[]> {
  const taken = await tx
    // A common table expression is executed once, whatever the plan.
    .with("due_letters", () =>
      skipLocked(
        tx,
        heads(tx, busy)
          .select("notification.letter_id")
          .where("notification.due", "<=", now)
          .orderBy("notification.due")
          .orderBy("notification.letter_id")
          .limit(limit),
      ),
    )
    .updateTable("push_letters")
    .set((eb) => ({ due: until, attempt: eb("push_letters.attempt", "+", 1) }))
    .where("letter_id", "in", (eb) => eb.selectFrom("due_letters").select("letter_id"))
    .returning(["letter_id", "task_id", "config_id", "host", "body", "content_type", "attempt"])
    .execute();
  if (taken.length === 0) return [];
  const tasks = [...new Set(taken.map(({ task_id }) => task_id))];
  const pushes = await tx
    .selectFrom("task_pushes")
    .select(["task_id", "config_id", "sealed"])
    .where("task_id", "in", tasks)
    .execute();
  return taken.flatMap(({ config_id, ...notification }) => {
    const push = pushes.find((one) => one.task_id === notification.task_id && one.config_id === config_id);
    return push ? [{ ...notification, sealed: push.sealed }] : [];
  });
}

async function settle(
  tx: Db,
  { letter_id, attempt }: Pick<ClaimedNotification, "letter_id" | "attempt">,
  {
    status = null,
    why = null,
    ...end
  }: Omit<DeliveryOutcome, "status" | "why"> & { status?: number | null; why?: string | null },
): Promise<void> {
  await tx
    .updateTable("push_letters")
    .set({ ...end, status, why })
    .where("letter_id", "=", letter_id)
    .where("attempt", "=", attempt)
    .where("state", "=", WAITING)
    .execute();
}

async function list(db: Db, { assistantId, taskId, limit }: NotificationFilter): Promise<PushDelivery[]> {
  let query = db.selectFrom("push_letters");
  if (taskId !== undefined) query = query.where("task_id", "=", taskId);
  if (assistantId !== undefined) {
    query = query.where("task_id", "in", (eb) =>
      eb.selectFrom("tasks").select("tasks.task_id").where("tasks.assistant_id", "=", assistantId),
    );
  }
  const rows = await query
    .select(["letter_id", "task_id", "config_id", "kind", "host", "state", "attempt", "status", "why"])
    .select(["created", "due"])
    .orderBy("created", "desc")
    .orderBy("seq", "desc")
    .orderBy("letter_id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ created, due, ...row }) => ({
    ...row,
    created_at: isoTime(created),
    due_at: row.state === "waiting" ? isoTime(due) : null,
  }));
}

async function sweep(tx: Db, doneBefore: number, keep: number): Promise<void> {
  const done = tx.selectFrom("push_letters").where("settled", "is not", null);
  const last = await done.select("settled").orderBy("settled", "desc").offset(keep).limit(1).executeTakeFirst();
  await tx
    .deleteFrom("push_letters")
    .where("settled", "<=", Math.max(doneBefore, last?.settled ?? doneBefore))
    .execute();
}
