import { setTimeout as wait } from "node:timers/promises";
import { type JobStage, jobStages } from "#lib/db/schema/job-states.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import type { ClaimedJob } from "#lib/jobs/run/claim/claimed-job.ts";
import { type RunOptions, runJob } from "#lib/jobs/run/run.ts";
import type { Claims } from "#lib/jobs/runner/claims.ts";
import type { OpenRuns } from "#lib/jobs/runner/open-runs.ts";
import { wakeRunners } from "#lib/jobs/runner/sweep.ts";
import { log } from "#lib/log.ts";
import { plans } from "#lib/plans.ts";
import type { JobEvent } from "#lib/queue/inngest.ts";
import { wakeClaimingRuns } from "#lib/queue/work-available.ts";
import { times } from "#times";
import { JobRun } from "./job-run.ts";
import { isForAnotherRunner, passOn } from "./pass-on.ts";
import { type NoClaimReason, Session } from "./session.ts";
import { WaitingSessions } from "./waiting-sessions.ts";

/** When a session passes its message on, so that runs stay readable, and requests last less than two hours. */
export interface SessionLimits {
  /** It ends after so many jobs, if it has lasted for `minMs`. */
  readonly jobs: number;
  /**
   * The shortest time of a session. Until the next session starts, its slot has no work for up to
   * half a second.
   */
  readonly minMs: number;
  /** It ends after so many jobs in any case. */
  readonly maxJobs: number;
  /** It ends after this time in any case. */
  readonly maxMs: number;
}

const sessionLimits: SessionLimits = { jobs: 25, minMs: 15_000, maxJobs: 250, maxMs: 20 * 60_000 };

/** A message is passed on with this delay while this runner cannot claim. */
const passOnSeconds = 1;

/** Jobs that a session claims in advance, as a runner of the embedded queue does for each engine. */
const maxAhead = 2;

/** A message that is passed on starts the next session within this time, unless another runner takes it. */
const handOverMs = 2000;

/** The delay before a claim that failed is tried again. */
const retryMs = 1000;

/** How long a session is kept, in case Inngest calls its run again. */
const keptMs = 60_000;

export interface JobSlotsOptions {
  readonly stage: JobStage;
  /** Jobs of the stage that this process runs at once. */
  readonly concurrency: number;
  readonly claims: Claims;
  readonly openRuns: OpenRuns;
  readonly run: RunOptions;
  readonly sessionLimits?: SessionLimits;
}

/** What the loops of one session share. */
interface SessionState {
  readonly session: Session;
  readonly startedAt: number;
  /** Jobs that were claimed or are being claimed. */
  claims: number;
  /** It has not claimed since it was woken: the jobs that wait may have brought no message. */
  wasWoken: boolean;
  /** The loops that claim in advance. */
  readonly ahead: Set<Promise<unknown>>;
}

/**
 * The slots of one stage in this process. A message of Inngest says that there is work. It starts a
 * session, in which the claim selects the job, as under the embedded queue: by priority, turns and age.
 * When a job ends, its session claims the next one, so that no slot waits for Inngest while jobs wait. If
 * none waits, it stays for a short time: the next job then starts at once, and needs no message.
 * Jobs that nothing could claim, such as because of the limit of their account, are claimed at the end
 * of the job that was in their way.
 *
 * No message gets lost: one that this runner cannot use is passed on if jobs wait.
 *
 * Sessions do not depend on the steps that report them. If Inngest ends a run or loses its steps, the
 * job goes on, and its lease decides who may write.
 */
export class JobSlots {
  readonly #options: JobSlotsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #running = new Set<Promise<void>>();
  readonly #waiting = new WaitingSessions();
  /** Those that have ended and whose message starts another one soon. */
  readonly #handingOver = new WaitingSessions();
  #isStopped = false;

  constructor(options: JobSlotsOptions) {
    this.#options = options;
  }

  get stage(): JobStage {
    return this.#options.stage;
  }

  /** The session of a message in this process; it was started earlier. */
  find(messageId: string): Session | undefined {
    return this.#sessions.get(messageId);
  }

  /**
   * Starts a session for a message, in the run of Inngest with the id `runId`. A session that could claim
   * nothing has a reason and no job.
   */
  start(message: JobEvent, runId: string): Session {
    const session = new Session(runId);
    const close = this.#options.openRuns.open(this.stage, message.messageId);
    this.#sessions.set(message.messageId, session);
    const isFull = this.#running.size >= this.#options.concurrency;
    const ended = this.#run(session, message, isFull).then((reason) => {
      close();
      this.#running.delete(ended);
      session.end(reason);
      setTimeout(() => this.#forget(message.messageId, session), keptMs).unref();
    });
    if (!isFull) this.#running.add(ended);
    return session;
  }

  /** A job of the stage may have come without a message. */
  wake(): void {
    this.#waiting.wakeOne();
  }

  /** Claims no more work. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.wakeAll();
  }

  /** Resolves when no job runs. */
  async waitUntilIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /**
   * Claims and runs one job after the other. Resolves with the reason to claim no more, after the jobs
   * that were claimed in advance have ended too.
   */
  async #run(session: Session, message: JobEvent, isFull: boolean): Promise<NoClaimReason> {
    const current: SessionState = {
      session,
      startedAt: Date.now(),
      claims: 0,
      wasWoken: false,
      ahead: new Set(),
    };
    const reason = isFull ? "no_free_slot" : await this.#claimUntilEmpty(current, message);
    if (reason === "exclusive_job" || reason === "no_free_slot") {
      await this.#passOn(message, passOnSeconds);
    } else if (reason === "runner_stops") {
      await this.#passOn(message, 0);
    } else if (reason === "nothing_to_claim" && (await this.#isForAnotherRunner(message))) {
      await this.#passOn(message, passOnSeconds);
    }
    while (current.ahead.size > 0) await Promise.all(current.ahead);
    return reason;
  }

  async #claimUntilEmpty(current: SessionState, message: JobEvent): Promise<NoClaimReason> {
    let stopClaiming = this.#options.openRuns.startClaiming(this.stage);
    this.#handingOver.wakeOne();
    // Before it holds a job: the slot of a run that is not reported stays in use if this process dies.
    await this.#options.openRuns.report();
    while (true) {
      const reason = await this.#claimAll(current);
      if (reason === "session_ends" && (await this.#passOn(message, 0))) {
        // Until then the slot counts as one that claims: messages of jobs that come meanwhile would only
        // wait in Inngest.
        void this.#handingOver.wait(handOverMs).then(stopClaiming);
        return reason;
      }
      const isReliedOn = await stopClaiming();
      if (reason === "session_ends") {
        // Jobs that were accepted since no job waited brought no message.
        await this.#passOn(message, 0);
        return reason;
      }
      if (reason !== "nothing_to_claim" || !isReliedOn) return reason;
      // Jobs that were accepted since the last claim brought no message.
      const lastReason = await this.#claimOne(current);
      if (lastReason) return lastReason;
      stopClaiming = this.#options.openRuns.startClaiming(this.stage);
    }
  }

  async #claimAll(current: SessionState): Promise<NoClaimReason> {
    while (true) {
      if (this.#isOver(current)) return "session_ends";
      // Jobs that were claimed in advance use the engines for long: another runner may be idle.
      if (!this.#hasEngineSoon) return "no_free_slot";
      const reason = await this.#claimOne(current);
      if (reason === "nothing_to_claim" && (await this.#waitForJobs(current))) continue;
      if (reason) return reason;
    }
  }

  /** Whether the session was woken, because further jobs may have come. */
  async #waitForJobs(current: SessionState): Promise<boolean> {
    if (this.#isStopped) return false;
    const stopWaiting = this.#options.openRuns.startWaiting(this.stage);
    const isWoken = await this.#waiting.wait(times.idleRunMs);
    await stopWaiting(isWoken);
    current.wasWoken = isWoken;
    return isWoken;
  }

  /** Claims and starts a job. Returns undefined if it claimed one, which has ended now. */
  async #claimOne(current: SessionState): Promise<NoClaimReason | undefined> {
    if (this.#isStopped) return "runner_stops";
    current.claims++;
    const { wasWoken } = current;
    current.wasWoken = false;
    const onMore = () => {
      this.#claimAhead(current);
      if (wasWoken) void this.#wakeMore();
    };
    if (await this.#claimAndRun(current.session, onMore)) return undefined;
    current.claims--;
    return this.#options.claims.isBlocked ? "exclusive_job" : "nothing_to_claim";
  }

  #isOver({ claims, startedAt }: SessionState): boolean {
    const limits = this.#options.sessionLimits ?? sessionLimits;
    const lasted = Date.now() - startedAt;
    if (claims >= limits.maxJobs || lasted > limits.maxMs) return true;
    return claims >= limits.jobs && lasted > limits.minMs;
  }

  /**
   * Claims further jobs, to prepare them while those of the session are on the engines or are stored.
   * These claims are in addition to those that messages and ends of jobs lead to, so nothing is lost if
   * they stop.
   */
  #claimAhead(current: SessionState): void {
    if (this.stage !== "run" || current.ahead.size >= maxAhead) return;
    const ahead = this.#claimWhileSoonFree(current).finally(() => current.ahead.delete(ahead));
    current.ahead.add(ahead);
  }

  async #claimWhileSoonFree(current: SessionState): Promise<void> {
    while (this.#hasEngineSoon && !this.#isOver(current)) {
      if (await this.#claimOne(current)) return;
    }
  }

  get #hasEngineSoon(): boolean {
    return this.stage !== "run" || this.#options.run.engineSlots.isSoonFree;
  }

  /**
   * Claims a job and runs it. Returns false if no job may start now. A claim that failed is tried
   * again after some time.
   */
  async #claimAndRun(session: Session, onMore: () => void): Promise<boolean> {
    const { stage, claims, run } = this.#options;
    let job: JobRun | undefined;
    const work = async (claimed: ClaimedJob) => {
      const current = new JobRun(claimed.job);
      job = current;
      session.add(current);
      const options = { ...run, logFields: { inngest_run: session.runId } };
      current.settle(await runJob(claimed, options, (outcome) => current.endWork(outcome)));
    };
    try {
      await claims.runNext(stage, onMore, work);
      if (job) void this.#wakeOtherStages(job.job);
      return job !== undefined;
    } catch (err) {
      log.error({ err, stage, job: job?.job.id }, job ? "job not settled" : "claiming work failed");
      if (job) job.settle(undefined);
      else await wait(retryMs);
      return true;
    }
  }

  /** Jobs that came while one run waited for several of them start on other slots, too. */
  async #wakeMore(): Promise<void> {
    if (this.#waiting.wakeOne()) return;
    const waking = this.#wake(this.stage, this.#options.concurrency);
    await waking.catch((err) => log.warn({ err }, "message not sent; the sweep sends another one"));
  }

  async #wake(stage: JobStage, limit: number, accountId?: string): Promise<void> {
    const slots = await wakeClaimingRuns(stage);
    if (slots === 0) return;
    const account = accountId ? { accountId } : {};
    await wakeRunners(stage, { seconds: 0, limit: Math.min(limit, slots), ...account });
  }

  /**
   * The end of a job may let another one of its account start. This session claims it only if it waits
   * for the same stage.
   */
  async #wakeOtherStages({ accountId, plan }: JobRow): Promise<void> {
    if (plans[plan].concurrentJobs === null) return;
    const others = jobStages.filter((one) => one !== this.stage);
    const waking = Promise.all(others.map((stage) => this.#wake(stage, 1, accountId)));
    await waking.catch((err) => log.warn({ err }, "message not sent; the sweep sends another one"));
  }

  async #isForAnotherRunner(message: JobEvent): Promise<boolean> {
    if (this.stage !== "run") return false;
    return isForAnotherRunner(message, (operations) => this.#options.claims.leaves(operations));
  }

  #passOn(message: JobEvent, delaySeconds: number): Promise<boolean> {
    return passOn(this.stage, message, delaySeconds);
  }

  #forget(messageId: string, session: Session): void {
    if (this.#sessions.get(messageId) === session) this.#sessions.delete(messageId);
  }
}
