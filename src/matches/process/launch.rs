//! What is started, and how.

use std::{
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Command, Stdio},
};

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program's full path.
    pub program: PathBuf,
    /// Its arguments, never split again.
    pub arguments: Vec<String>,
    /// Its working directory; `None` is the runner's.
    pub directory: Option<PathBuf>,
    /// Variables set on top of the runner's environment.
    pub environment: Vec<(String, String)>,
    /// The processors it may run on; empty is all.
    pub cpus: Vec<usize>,
}

impl Launch {
    /// The command: in a process group of its own, on its processors from its first instruction
    /// on, and bound to die with the calling thread.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        prepare_child(&mut command, &self.cpus);
        command
    }
}

/// The first of these processors that this program may not run on, and all it may run on.
#[cfg(target_os = "linux")]
pub fn foreign_processor(cpus: &[usize]) -> Option<(usize, Vec<usize>)> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let allowed = sched_getaffinity(None).ok()?;
    let own = |cpu: usize| cpu < CpuSet::MAX_CPU && allowed.is_set(cpu);
    let foreign = cpus.iter().copied().find(|&cpu| !own(cpu))?;
    Some((
        foreign,
        (0..CpuSet::MAX_CPU).filter(|&cpu| own(cpu)).collect(),
    ))
}

#[cfg(not(target_os = "linux"))]
pub fn foreign_processor(_cpus: &[usize]) -> Option<(usize, Vec<usize>)> {
    None
}

/// Has the child set its processors and its parent-death signal before it becomes the engine.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn prepare_child(command: &mut Command, cpus: &[usize]) {
    use rustix::{process, thread};

    let mut set = thread::CpuSet::new();
    for &cpu in cpus.iter().filter(|&&cpu| cpu < thread::CpuSet::MAX_CPU) {
        set.set(cpu);
    }
    let pinned = !cpus.is_empty();
    let parent = process::getpid();
    // SAFETY: between fork and exec only plain system calls are made, which allocate nothing and
    // take no lock.
    unsafe {
        command.pre_exec(move || {
            process::set_parent_process_death_signal(Some(process::Signal::KILL))?;
            if process::getppid() != Some(parent) {
                return Err(std::io::ErrorKind::NotFound.into());
            }
            if pinned {
                thread::sched_setaffinity(None, &set)?;
            }
            Ok(())
        });
    }
}

#[cfg(not(target_os = "linux"))]
fn prepare_child(_command: &mut Command, _cpus: &[usize]) {}
