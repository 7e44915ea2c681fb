// The clock of a game: main time and byoyomi (秒読み) for both sides. It stands still while the page is closed.

/** @typedef {"b" | "w"} Color */
/** Seconds; no clock if both are 0. @typedef {{ main: number, byoyomi: number }} Rate */

/** What a game may be played with: seconds of main time and of byoyomi. @type {[main: number, byoyomi: number][]} */
export const RATES = [[0, 0], [0, 10], [0, 30], [300, 10], [600, 0], [600, 30], [900, 60], [1800, 60]];

/** Minutes and seconds. @param {number} seconds */
export const timeText = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export class Clock {
    /**
     * @param {Rate} rate
     * @param {Record<Color, number>} left seconds of main time
     * @param {(color: Color) => void} fallen the time of a side is over: the turn is to end
     * @param {() => number} [now] milliseconds
     */
    constructor(rate, left, fallen, now = () => performance.now()) {
        this.rate = rate;
        this.left = { ...left };
        this.fallen = fallen;
        this.now = now;
        /** @type {Color | null} */
        this.running = null;
        this.since = 0;
    }

    get isUsed() {
        return this.rate.main > 0 || this.rate.byoyomi > 0;
    }

    /** Seconds since the side began to think. */
    get thought() {
        return this.running === null ? 0 : (this.now() - this.since) / 1000;
    }

    /**
     * The other side begins to think; what the one before has used is taken from its main time.
     * @param {Color | null} color
     * @param {number} [thought] seconds that the side has used of this turn already
     */
    turn(color, thought = 0) {
        if (this.running === color) return;
        if (this.running !== null) this.left[this.running] = Math.max(0, this.left[this.running] - this.thought);
        this.running = this.isUsed ? color : null;
        this.since = this.now() - thought * 1000;
    }

    /** Stands still in the middle of a turn. */
    pause() {
        this.running = null;
    }

    /** What is left to a side. @param {Color} color @returns {{ main: number, byoyomi: number }} */
    rest(color) {
        const thought = this.running === color ? this.thought : 0;
        const main = Math.max(0, this.left[color] - thought);
        return { main, byoyomi: Math.max(0, this.rate.byoyomi - Math.max(0, thought - this.left[color])) };
    }

    /** Looks whether the time of the running side is over. */
    tick() {
        const { running } = this;
        if (running === null) return;
        const { main, byoyomi } = this.rest(running);
        if (main <= 0 && byoyomi <= 0) this.fallen(running);
    }

    /** What an engine is told, behind `go`. */
    get words() {
        const ms = (/** @type {number} */ seconds) => Math.max(1, Math.round(seconds * 1000));
        return `btime ${ms(this.rest("b").main)} wtime ${ms(this.rest("w").main)} byoyomi ${Math.round(this.rate.byoyomi * 1000)}`;
    }
}
