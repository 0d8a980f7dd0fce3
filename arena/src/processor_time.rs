//! Time that a processor worked, as opposed to time that went by: other programs on the machine do not alter it.

use std::time::Duration;

/// What the calling thread has used so far.
#[cfg(unix)]
pub fn of_thread() -> Duration {
    used(rustix::time::ClockId::ThreadCPUTime)
}

/// What this process has used so far.
#[cfg(unix)]
pub fn of_process() -> Duration {
    used(rustix::time::ClockId::ProcessCPUTime)
}

#[cfg(unix)]
fn used(clock: rustix::time::ClockId) -> Duration {
    let now = rustix::time::clock_gettime(clock);
    Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
}

/// Elsewhere the time since the first call.
#[cfg(not(unix))]
pub fn of_thread() -> Duration {
    of_process()
}

/// Elsewhere the time since the first call.
#[cfg(not(unix))]
pub fn of_process() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_not_working() {
        let before = of_thread();
        std::thread::sleep(Duration::from_millis(50));
        // A thread that sleeps uses next to nothing; one that works does not stop the clock.
        let slept = of_thread() - before;
        #[cfg(unix)]
        assert!(slept < Duration::from_millis(40), "{slept:?}");
        let until = of_thread() + Duration::from_millis(5);
        while of_thread() < until {
            std::hint::spin_loop();
        }
        assert!(of_process() >= of_thread() - before);
        let _ = slept;
    }
}
