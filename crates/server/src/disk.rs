//! Files as they are on disk.

/// The text of a file on disk; nothing if there is none, or if the path is no path of a disk.
pub(crate) fn read_file(path: &str) -> Option<String> {
    if !std::path::Path::new(path).is_absolute() {
        return None;
    }
    // What is no file, such as a pipe, may never end.
    let bytes = std::fs::metadata(path).ok()?.is_file().then(|| std::fs::read(path).ok())??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
